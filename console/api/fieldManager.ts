/** Name under which the server notes the fields that the console sets. */
export const fieldManager = 'console'
