/** How many of the day's alerts the overview shows. Not in a client module: the server asks for as many. */
export const SHOWN = 3;
