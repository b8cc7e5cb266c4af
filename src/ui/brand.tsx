export function Brand() {
  return (
    <>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--button)" />
        <path
          d="M7 24h5v-5h5v-5h5V8h3"
          fill="none"
          stroke="var(--on-button)"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span>
        Creator Growth <span data-second>Tracking Service</span>
      </span>
    </>
  );
}
