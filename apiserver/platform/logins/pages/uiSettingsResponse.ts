import { createHash } from 'node:crypto'
import { isAssetUrl, isLinkUrl } from '../../../meta/httpUrl.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { PlatformSettings } from '../../../platformConfig/platformSettings.ts'
import { harmlessHtml } from './legalText.ts'
import type { LoginAnswer } from './loginResponse.ts'
import { cssColor } from './pageColor.ts'

type Form = (value: unknown) => unknown

/** Settings visible without a login, each with the function that makes it safe; undefined omits it. */
const shown: Readonly<Record<string, Form>> = {
  logoURL: asset,
  smallLogoURL: asset,
  faviconURL: asset,
  logoBackgroundColor: cssColor,
  primaryColor: cssColor,
  sidebarColor: cssColor,
  accentColor: cssColor,
  legalTemplate: (value) => (typeof value === 'string' ? harmlessHtml(value) : undefined),
  customCss: assets,
  customJavaScript: assets,
  externalURLs: (value) => (isObject(value) ? value : undefined),
}

/** Settings for users only. */
const shownToUsers: Readonly<Record<string, Form>> = { ...shown, navBarButtons: buttons }

interface Asked {
  ifNoneMatch: string
  isAuthenticated: boolean
}

/**
 * Appearance of the UI, for everyone; users see the buttons of the navigation bar, too. Clients may cache it for a
 * minute, and revalidate it by its tag.
 */
export function uiSettingsAnswer(
  { uiSettings }: Pick<PlatformSettings, 'uiSettings'>,
  { ifNoneMatch, isAuthenticated }: Asked,
): LoginAnswer {
  const json = Object.fromEntries(
    Object.entries(isAuthenticated ? shownToUsers : shown)
      .map(([name, form]) => [name, form(uiSettings[name])] as const)
      .filter(([, value]) => value !== undefined),
  )
  const tag = `"${createHash('sha256').update(JSON.stringify(json)).digest('base64url')}"`
  const cache = `${isAuthenticated ? 'private' : 'public'}, max-age=60`
  const headers = { 'Cache-Control': cache, ETag: tag, Vary: 'Authorization' }
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  const isKnown = tags.includes(tag) || tags.includes('*')
  return isKnown ? { code: 304, headers } : { code: 200, headers, json }
}

function asset(value: unknown): string | undefined {
  return typeof value === 'string' && isAssetUrl(value) ? value : undefined
}

/** Buttons with a label and an allowed link; icons only from allowed image origins. */
function buttons(value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter(isObject).flatMap(({ position = 'BottomEnd', text, link, icon }) => {
    if (typeof text !== 'string' || text === '' || typeof link !== 'string' || !isLinkUrl(link))
      return []
    const safe = asset(icon)
    return [{ position, text, link, ...(safe === undefined ? {} : { icon: safe }) }]
  })
}

function assets(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value.filter((one) => asset(one) !== undefined) : undefined
}
