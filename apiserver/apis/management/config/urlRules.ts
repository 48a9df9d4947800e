import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { memberPath } from '../../../meta/fieldPath.ts'
import { isAssetUrl, isHttpUrl, isLinkUrl } from '../../../meta/httpUrl.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { Schema, UrlForm } from '../../../meta/schema.ts'

/** Errors for URLs in a value that already matches its schema. */
export function urlErrors(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (typeof value === 'string')
    return schema.url === undefined ? [] : errorsOf(value, schema, path)
  if (Array.isArray(value)) {
    const { items = {} } = schema
    return value.flatMap((item, at) => urlErrors(item, items, `${path}[${at}]`))
  }
  const { properties = {} } = schema
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const below = Object.hasOwn(properties, name) ? properties[name] : undefined
    return below === undefined ? [] : urlErrors(member, below, memberPath(path, name))
  })
}

function errorsOf(text: string, { url }: Schema, path: string): FieldError[] {
  if (url === undefined || forms[url](text)) return []
  // The URL may contain a password before the host.
  const shown = text.includes('@') && url !== 'link' ? '' : text
  return [invalidField(path, shown, wanted[url])]
}

const wanted: Readonly<Record<UrlForm, string>> = {
  http: 'must be an absolute http or https URL without user and password',
  issuer: 'must be an absolute http or https URL without user, password, query and fragment',
  asset:
    'must be an absolute http or https URL, or a path on this server that begins with one slash',
  link: 'must be an absolute http or https URL, a mailto URL, or a path on this server that begins with one slash',
  repository: 'must be an absolute http, https or oci URL without user and password',
  redirect:
    'must be an absolute URI without white space and fragment, of a scheme that browsers do not run',
  host: 'must be a host, perhaps with a port',
  httpHost: 'must be a host, perhaps with a port, or an absolute http or https URL',
}

/** Schemes with which a browser would execute or show the content of the URL itself. */
const unsafeScheme = /^(javascript|data|vbscript|blob|file|about|filesystem|view-source):/i

const forms: Readonly<Record<UrlForm, (text: string) => boolean>> = {
  http: isHttpUrl,
  issuer: (text) => isHttpUrl(text) && !/[?#]/.test(text),
  asset: isAssetUrl,
  link: isLinkUrl,
  repository: (text) => isHttpUrl(text.replace(/^oci:/i, 'https:')),
  redirect: (text) =>
    /^[A-Za-z][A-Za-z0-9+.-]*:[^\s#\\<>"]+$/.test(text) && !unsafeScheme.test(text),
  host: isHost,
  httpHost: (text) => isHost(text) || isHttpUrl(text),
}

function isHost(text: string): boolean {
  return !/[/?#@]/.test(text) && isHttpUrl(`https://${text}`)
}
