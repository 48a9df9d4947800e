import { createHash } from 'node:crypto'
import { isAssetUrl, isHttpUrl } from '../../../meta/httpUrl.ts'
import type { PlatformSettings } from '../../../platformConfig/platformSettings.ts'
import { harmlessHtml } from './legalText.ts'
import { cssColor, textColorOn } from './pageColor.ts'
import { pageHeaders, pageStyle, escapedText } from './loginPages.ts'

/** Configured appearance of the login pages. */
export interface PageLook {
  /** Headers of every page. */
  headers: Readonly<Record<string, string>>
  /** Adds logo, colors, legal text and title to a page from page(). */
  dressed: (page: string) => string
}

/**
 * Appearance for a configuration. Configured strings reach a page only after validation: addresses, colors, and
 * sanitized HTML.
 * Source: specification, "uiSettings".
 */
export function pageLook({
  uiSettings: ui,
  host,
}: Pick<PlatformSettings, 'uiSettings' | 'host'>): PageLook {
  const style = pageStyle + colorRules(ui)
  const logo = assetIn(ui, 'logoURL') ?? assetIn(ui, 'smallLogoURL')
  const icon = assetIn(ui, 'faviconURL')
  const legal = typeof ui['legalTemplate'] === 'string' ? harmlessHtml(ui['legalTemplate']) : ''
  const head = icon === undefined ? '' : `<link rel="icon" href="${escapedText(icon)}">\n`
  const top =
    logo === undefined
      ? ''
      : `<div class="logo"><img src="${escapedText(logo)}" alt="" referrerpolicy="no-referrer"></div>\n`
  const end = legal === '' ? '' : `<footer>${legal}</footer>\n`
  const name = host === '' ? '' : ` – ${escapedText(host)}`
  return {
    headers: headersFor(style, [logo, icon]),
    dressed: (page) =>
      [
        ['</title>', `${name}</title>`],
        ['<style>', `${head}<style>`],
        [pageStyle, style],
        ['<main>\n', `<main>\n${top}`],
        ['</main>\n</body>', `${end}</main>\n</body>`],
      ].reduce((made, [mark = '', put = '']) => made.replace(mark, () => put), page),
  }
}

function colorRules(ui: PlatformSettings['uiSettings']): string {
  const primary = cssColor(ui['primaryColor'])
  const accent = cssColor(ui['accentColor'])
  const behind = cssColor(ui['logoBackgroundColor'])
  const button =
    primary &&
    `button, .button { background: ${primary}; border-color: ${primary}; color: ${textColorOn(primary)} }`
  const rules = [
    button,
    accent && `a:not(.button), h1 { color: ${accent} }`,
    behind && `.logo { background: ${behind}; padding: 1rem; border-radius: .4rem }`,
  ]
  return rules
    .filter((rule) => rule !== undefined && rule !== '')
    .map((rule) => `${rule}\n`)
    .join('')
}

function assetIn(ui: PlatformSettings['uiSettings'], name: string): string | undefined {
  const value = ui[name]
  return typeof value === 'string' && isAssetUrl(value) ? value : undefined
}

/** Headers with a policy that allows only this style and images from these origins. */
function headersFor(style: string, images: readonly (string | undefined)[]): PageLook['headers'] {
  const origins = images.flatMap((image) => {
    if (image === undefined) return []
    return [isHttpUrl(image) ? new URL(image).origin : "'self'"]
  })
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...(origins.length === 0 ? [] : [`img-src ${[...new Set(origins)].join(' ')}`]),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return { ...pageHeaders, 'Content-Security-Policy': policy.join('; ') }
}
