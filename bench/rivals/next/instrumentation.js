// Empty, and there so that Next does not take the product's.
export function register() {}
