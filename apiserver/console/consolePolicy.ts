import { isHttpUrl } from '../meta/httpUrl.ts'

type UiSettings = Readonly<Record<string, unknown>>

/**
 * Headers of the console's page. Scripts, styles and requests are the server's own; besides them only the addresses
 * that `uiSettings` of the platform's configuration name: scripts and style sheets one by one, images by their origin.
 */
export function consoleHeaders(ui: UiSettings): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${sources(ui['customJavaScript'], false)}`,
    `style-src ${sources(ui['customCss'], false)}`,
    `img-src ${sources([ui['logoURL'], ui['smallLogoURL'], ui['faviconURL']], true)} data:`,
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

/** Sources of a policy: the server itself and these addresses. @param isByOrigin whether their origin suffices. */
function sources(urls: unknown, isByOrigin: boolean): string {
  const given = Array.isArray(urls) ? (urls as unknown[]) : []
  const others = given
    .filter((url) => typeof url === 'string')
    .filter(isHttpUrl)
    .map((url) => new URL(url))
    // A policy reads a comma, a semicolon or a quote as its own.
    .map((url) =>
      isByOrigin || /[;,']/.test(url.pathname) ? url.origin : url.origin + url.pathname,
    )
  return [...new Set(["'self'", ...others])].join(' ')
}
