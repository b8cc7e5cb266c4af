const ADDRESS = /^[^\s@<>?&]+@[^\s@<>?&]+\.[^\s@<>?&]+$/;
const PAGE = /^https?:\/\/\S+$/i;

/** A contact: a link for an email or web address, else to the form that reaches the operator. */
export function Contact({ children: text }: { children: string }) {
  if (ADDRESS.test(text)) return <a href={`mailto:${text}`}>{text}</a>;
  if (PAGE.test(text)) return <a href={text}>{text}</a>;
  return <a href="/request-key">{text}</a>;
}
