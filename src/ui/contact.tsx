const ADDRESS = /^[^\s@<>?&]+@[^\s@<>?&]+\.[^\s@<>?&]+$/;
const PAGE = /^https?:\/\/\S+$/i;

/** A contact: a link for an email or web address, else plain text. */
export function Contact({ children: text }: { children: string }) {
  if (ADDRESS.test(text)) return <a href={`mailto:${text}`}>{text}</a>;
  if (PAGE.test(text)) return <a href={text}>{text}</a>;
  return text;
}
