import type { ProviderFetch } from './providerFetch.ts'

/** Maximum number of pages, more than the groups of any user need. */
const maxPages = 50

export interface ApiRequest {
  fetch: ProviderFetch
  accessToken: string
}

/** Reads a JSON response. @throws Error for any other response. */
export async function readJson(
  url: string,
  { fetch, accessToken }: ApiRequest,
  body?: unknown,
): Promise<{ value: unknown; headers: Headers }> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return { value: await response.json(), headers: response.headers }
}

/** Reads all pages. `next` finds the address of the following page, which has to be on the same host. */
export async function readPages<T>(
  first: string,
  request: ApiRequest,
  page: (value: unknown, headers: Headers, url: string) => { items: T[]; next: string | undefined },
): Promise<T[]> {
  const all: T[] = []
  let url: string | undefined = first
  for (let pages = 0; url !== undefined; pages++) {
    if (pages === maxPages) throw new Error(`${first} has more than ${maxPages} pages`)
    if (new URL(url).origin !== new URL(first).origin) {
      throw new Error(`${first} goes on at another host`)
    }
    const { value, headers } = await readJson(url, request)
    const { items, next } = page(value, headers, url)
    all.push(...items)
    url = next
  }
  return all
}

/** The address of the next page. Source: RFC 8288. */
export function nextLink(headers: Headers): string | undefined {
  const link = headers
    .get('link')
    ?.split(',')
    .find((part) => /;\s*rel="next"/.test(part))
  return link === undefined ? undefined : /<([^>]*)>/.exec(link)?.[1]
}
