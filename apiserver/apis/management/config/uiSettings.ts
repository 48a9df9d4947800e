import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, struct, string, stringList, url, urlList } from '../../schema.ts'
import { shape } from './shape.ts'

const positions = ['TopStart', 'TopEnd', 'BottomStart', 'BottomEnd']

/** Appearance of the UI. Source: specification, "uiSettings"; platform facts 1.7. */
export function uiSettingsSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'UISettings',
    {
      [`${names.platform}Version`]: string('Version that the UI shows.'),
      logoURL: url('asset', 'Address of the logo; clients of the UI must reach it.'),
      smallLogoURL: url('asset', 'Address of the small logo; clients of the UI must reach it.'),
      faviconURL: url('asset', 'Address of the icon of the page; clients of the UI must reach it.'),
      logoBackgroundColor: string('Background color of the logo.'),
      primaryColor: string('Main color.'),
      sidebarColor: string('Color of the sidebar.'),
      accentColor: string('Accent color.'),
      legalTemplate: string('HTML shown at login.'),
      customCss: urlList('asset', 'Addresses of style sheets that the UI loads.'),
      customJavaScript: urlList('asset', 'Addresses of scripts that the UI loads.'),
      navBarButtons: listOf(navBarButtonSchema, 'Buttons of the navigation bar.'),
      externalURLs: shape(
        names,
        'ExternalURLs',
        {
          block: flag('Whether the UI loads nothing from other hosts.'),
          allow: stringList('Exceptions for offline mode: names of modules, or URLs.'),
        },
        'Resources that the UI may load from other hosts.',
      ),
    },
    'Appearance of the UI.',
  )
}

const navBarButtonSchema = struct(
  {
    position: {
      ...string('Position of the button: TopStart, TopEnd, BottomStart or BottomEnd.'),
      enum: positions,
      default: 'BottomEnd',
    },
    text: string('Text of the button.'),
    link: url('link', 'URL that the button opens.'),
    icon: url('asset', 'Address of the icon of the button.'),
  },
  'A button of the navigation bar.',
)
