import styles from "./shared.module.css";

/** The same for a link that expired or was revoked, and for one that never existed. */
export default function EndedPage() {
  return (
    <main className={styles.ended}>
      <h1>This link has ended</h1>
      <p>It has expired or was revoked, or it is not complete. Ask the person who sent it for a new one.</p>
      <a href="/">About this service</a>
    </main>
  );
}
