const ADDRESS = /^[^\s@<>?&]+@[^\s@<>?&]+\.[^\s@<>?&]+$/;
const PAGE = /^https?:\/\/\S+$/i;

/** How somebody can be reached: a link when it is an email address or a web page, else the words themselves. */
export function Contact({ children: text }: { children: string }) {
  if (ADDRESS.test(text)) return <a href={`mailto:${text}`}>{text}</a>;
  if (PAGE.test(text)) return <a href={text}>{text}</a>;
  return text;
}
