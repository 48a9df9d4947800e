import { createHash } from 'node:crypto'
import { isAssetUrl } from '../../../meta/httpUrl.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { PlatformSettings } from '../../../platformConfig/platformSettings.ts'
import { harmlessHtml } from './legalText.ts'
import type { LoginAnswer } from './loginResponse.ts'
import { cssColor } from './pageColor.ts'

/**
 * Settings visible without a login, each with the function that makes it safe; undefined omits it. The version and the
 * buttons of the navigation bar are for users.
 */
const shown: Readonly<Record<string, (value: unknown) => unknown>> = {
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

/** The look of the UI, for everybody. Clients may cache it for a minute, and revalidate it by its tag. */
export function uiSettingsAnswer(
  { uiSettings }: Pick<PlatformSettings, 'uiSettings'>,
  ifNoneMatch = '',
): LoginAnswer {
  const json = Object.fromEntries(
    Object.entries(shown)
      .map(([name, form]) => [name, form(uiSettings[name])] as const)
      .filter(([, value]) => value !== undefined),
  )
  const tag = `"${createHash('sha256').update(JSON.stringify(json)).digest('base64url')}"`
  const headers = { 'Cache-Control': 'public, max-age=60', ETag: tag }
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  const isKnown = tags.includes(tag) || tags.includes('*')
  return isKnown ? { code: 304, headers } : { code: 200, headers, json }
}

function asset(value: unknown): string | undefined {
  return typeof value === 'string' && isAssetUrl(value) ? value : undefined
}

function assets(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value.filter((one) => asset(one) !== undefined) : undefined
}
