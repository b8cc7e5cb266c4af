export const LISTS_PER_KEY = 50;
export const VIEWS_PER_KEY = 20;
export const MAX_NAME_LENGTH = 40;
export const MAX_NOTE_LENGTH = 2000;
