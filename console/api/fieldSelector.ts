/** Selector of the objects whose field has a value, whatever characters it has. Source: Kubernetes API, field selectors. */
export function fieldSelector(field: string, value: string): string {
  return `${field}=${value.replace(/[\\,=]/g, '\\$&')}`
}
