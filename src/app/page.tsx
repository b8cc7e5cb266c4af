export default function HomePage() {
  return (
    <main>
      <h1>Creator Growth Tracking Service</h1>
    </main>
  );
}
