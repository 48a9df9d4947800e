import { isHttpUrl } from '../meta/httpUrl.ts'
import { isObject } from '../meta/json/isObject.ts'

type UiSettings = Readonly<Record<string, unknown>>

/**
 * Headers of the console's page. Scripts, styles and requests are limited to the server itself and
 * to the addresses in `uiSettings` of the platform's configuration: scripts and style sheets by
 * full address, images by origin.
 */
export function consoleHeaders(ui: UiSettings): Record<string, string> {
  const mayLoad = externalRule(ui['externalURLs'])
  const sources = (urls: unknown, isByOrigin: boolean) => sourcesOf(urls, { isByOrigin, mayLoad })
  const policy = [
    "default-src 'none'",
    `script-src ${sources(ui['customJavaScript'], false)}`,
    `style-src ${sources(ui['customCss'], false)}`,
    `img-src ${sources([ui['logoURL'], ui['smallLogoURL'], ui['faviconURL'], ...iconsOf(ui)], true)} data:`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types console',
  ]
  return { ...safeHeaders, 'Content-Security-Policy': policy.join('; '), 'X-Frame-Options': 'DENY' }
}

/** Headers of every file. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

function iconsOf({ navBarButtons }: UiSettings): unknown[] {
  return Array.isArray(navBarButtons)
    ? navBarButtons.map((button) => isObject(button) && button['icon'])
    : []
}

/**
 * Predicate for addresses of other hosts that the console may load, according to `externalURLs`:
 * all, unless they are blocked.
 */
function externalRule(externalURLs: unknown): (url: URL) => boolean {
  if (!isObject(externalURLs) || externalURLs['block'] !== true) return () => true
  const allowed: unknown[] = Array.isArray(externalURLs['allow']) ? externalURLs['allow'] : []
  const origins = allowed
    .filter((url) => typeof url === 'string')
    .filter(isHttpUrl)
    .map((url) => new URL(url).origin)
  return ({ origin }) => origins.includes(origin)
}

interface SourceOptions {
  /** True if only the origin of an address is used. */
  isByOrigin: boolean
  mayLoad: (url: URL) => boolean
}

/** Sources for a policy: the server itself and the given addresses. */
function sourcesOf(urls: unknown, { isByOrigin, mayLoad }: SourceOptions): string {
  const given = Array.isArray(urls) ? (urls as unknown[]) : []
  const others = given
    .filter((url) => typeof url === 'string')
    .filter(isHttpUrl)
    .map((url) => new URL(url))
    .filter(mayLoad)
    // Commas, semicolons and quotes have a special meaning in a policy.
    .map((url) =>
      isByOrigin || /[;,']/.test(url.pathname) ? url.origin : url.origin + url.pathname,
    )
  return [...new Set(["'self'", ...others])].join(' ')
}
