/** Field manager of the fields that the console sets. */
export const fieldManager = 'console'
