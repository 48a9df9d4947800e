import type { ProviderFetch } from './providerFetch.ts'

/** More pages than any user has groups for: a provider that goes on is not right. */
const maxPages = 50

export interface ApiRequest {
  fetch: ProviderFetch
  accessToken: string
}

/** Reads a JSON answer. @throws Error for any other answer. */
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

/** Reads page after page. `next` finds the address of the page behind one; it has to be at the same host. */
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

/** The address behind this page. Source: RFC 8288. */
export function nextLink(headers: Headers): string | undefined {
  const link = headers
    .get('link')
    ?.split(',')
    .find((part) => /;\s*rel="next"/.test(part))
  return link === undefined ? undefined : /<([^>]*)>/.exec(link)?.[1]
}
