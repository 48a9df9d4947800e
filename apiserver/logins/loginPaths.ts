/** Whether an address is one of logins. */
export function isLoginPath(url: string | undefined): boolean {
  return url !== undefined && /^\/(auth\/|login(?=$|[?]))/.test(url)
}
