/** How many of the day's alerts the overview shows. Not in a client module: the server asks for as many. */
export const SHOWN = 3;
/** What is asked for on a day without alerts: the one before it. */
export const LATEST = { limit: 1 };
