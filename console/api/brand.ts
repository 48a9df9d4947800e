/** Link that the configuration adds to the menu. */
export interface NavBarButton {
  position: 'TopStart' | 'TopEnd' | 'BottomStart' | 'BottomEnd'
  text: string
  link: string
  icon?: string
}

/** Appearance of the installation, from `uiSettings` of the platform's configuration. */
export interface Brand {
  logoURL?: string
  smallLogoURL?: string
  faviconURL?: string
  logoBackgroundColor?: string
  primaryColor?: string
  sidebarColor?: string
  accentColor?: string
  legalTemplate?: string
  customCss?: readonly string[]
  customJavaScript?: readonly string[]
  /** Only present for signed-in users. */
  navBarButtons?: readonly NavBarButton[]
}

type Rgb = readonly [number, number, number]

/** Applies colors, icon, style sheets and scripts. Adjusts colors that would make text unreadable. */
export function applyBrand(brand: Brand): void {
  const { style } = document.documentElement
  const fill = rgbOf(brand.primaryColor)
  if (fill !== undefined) {
    style.setProperty('--accent-fill', css(fill))
    style.setProperty('--on-accent', readableOn(fill))
  }
  const accent = rgbOf(brand.accentColor) ?? fill
  if (accent !== undefined) {
    style.setProperty('--accent-light', css(towards(accent, [0, 0, 0], [242, 244, 247])))
    style.setProperty('--accent-dark', css(towards(accent, [255, 255, 255], [35, 41, 50])))
  }
  const side = rgbOf(brand.sidebarColor)
  if (side !== undefined) {
    const on = readableOn(side)
    style.setProperty('--side', css(side))
    style.setProperty('--on-side', on)
    style.setProperty('--on-side-muted', on)
  }
  if (brand.faviconURL !== undefined)
    document.querySelector('link[rel=icon]')?.setAttribute('href', brand.faviconURL)
  for (const url of brand.customCss ?? []) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })
    document.head.append(link)
  }
  for (const url of brand.customJavaScript ?? []) addScript(url)
}

interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string }
}

/** Loads a script named in the configuration; the page's policy allows no other. */
function addScript(url: string): void {
  const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes }
  const trusted =
    trustedTypes
      ?.createPolicy('console', { createScriptURL: (given: string) => given })
      .createScriptURL(url) ?? url
  const script = document.createElement('script')
  script.src = trusted
  script.async = true
  document.head.append(script)
}

/** Components of a CSS color; undefined: the browser does not know it. */
function rgbOf(color: string | undefined): Rgb | undefined {
  if (color === undefined || !CSS.supports('color', color)) return undefined
  const probe = document.createElement('span')
  probe.style.color = color
  document.body.append(probe)
  const [r, g, b] =
    getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? []
  probe.remove()
  return r === undefined || g === undefined || b === undefined ? undefined : [r, g, b]
}

function css([r, g, b]: Rgb): string {
  return `rgb(${r.toFixed(0)} ${g.toFixed(0)} ${b.toFixed(0)})`
}

function readableOn(color: Rgb): string {
  return contrast(color, [255, 255, 255]) >= contrast(color, [16, 20, 26]) ? '#fff' : '#10141a'
}

/** Moves a color towards another until its contrast with the background reaches 4.5 (WCAG AA). */
function towards(color: Rgb, end: Rgb, background: Rgb): Rgb {
  for (let part = 0; part <= 1; part += 0.05) {
    // Sound: three components yield three.
    const mixed = color.map(
      (value, at) => value + ((end[at] ?? 0) - value) * part,
    ) as unknown as Rgb
    if (contrast(mixed, background) >= 4.6) return mixed
  }
  return end
}

/** Source: WCAG 2.2, "contrast ratio". */
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color
    .map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
