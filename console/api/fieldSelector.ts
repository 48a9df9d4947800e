/** Selector for objects whose field has a value, with any characters. Source: Kubernetes API, field selectors. */
export function fieldSelector(field: string, value: string): string {
  return `${field}=${value.replace(/[\\,=]/g, '\\$&')}`
}
