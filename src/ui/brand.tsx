/** The logo and the name. */
export function Brand() {
  return (
    <>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0a7350" />
        <path fill="#fff" fillOpacity=".65" d="M6.5 18h5v7h-5zM13.5 15h5v10h-5z" />
        <path fill="#fff" d="M20.5 7h5v18h-5z" />
      </svg>
      <span>Creator Growth Tracking Service</span>
    </>
  );
}
