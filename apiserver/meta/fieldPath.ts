/** The path of a member; the root is empty. */
export function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
