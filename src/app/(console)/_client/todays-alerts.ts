/** How many of today's alerts the overview shows. The server prefetches as many, so this is no client module. */
export const SHOWN = 3;
