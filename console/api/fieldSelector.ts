/**
 * Selector for objects with a value in a field; the value may contain any characters. Source:
 * Kubernetes API, field selectors.
 */
export function fieldSelector(field: string, value: string): string {
  return `${field}=${value.replace(/[\\,=]/g, '\\$&')}`
}
