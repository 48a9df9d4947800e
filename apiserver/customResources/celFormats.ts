import type { Environment } from '@marcbachmann/cel-js'
import {
  dns1035Errors,
  labelErrors,
  labelKeyErrors,
  labelValueErrors,
  subdomainErrors,
} from '../meta/nameValidation.ts'
import { customDialect, hasFormat } from '../registry/schemaDialect.ts'
import type { Optionals } from './celOptionals.ts'

/** A form that texts may have. */
class Format {
  readonly errorsOf: (text: string) => readonly string[]

  constructor(errorsOf: (text: string) => readonly string[]) {
    this.errorsOf = errorsOf
  }
}

class FormatNamespace {}

type Errors = (text: string) => readonly string[]

/** A prefix is followed by something that `generateName` adds. */
const prefix = (errors: Errors) => (text: string) => errors(text.replace(/-$/, 'a'))

const ofFormat = (format: string, why: string) => (text: string) =>
  hasFormat(customDialect, format, text) ? [] : [why]

const formats: Readonly<Record<string, Errors>> = {
  dns1123Label: labelErrors,
  dns1123Subdomain: subdomainErrors,
  dns1035Label: dns1035Errors,
  qualifiedName: labelKeyErrors,
  dns1123LabelPrefix: prefix(labelErrors),
  dns1123SubdomainPrefix: prefix(subdomainErrors),
  dns1035LabelPrefix: prefix(dns1035Errors),
  labelValue: labelValueErrors,
  uri: ofFormat('uri', 'invalid URI for request'),
  uuid: ofFormat('uuid', 'does not match the UUID format'),
  byte: ofFormat('byte', 'invalid base64'),
  date: ofFormat('date', 'invalid date'),
  datetime: ofFormat('datetime', 'invalid datetime'),
}

/** Source: Kubernetes documentation, "CEL in Kubernetes", Format library. */
export function registerFormats(environment: Environment, { some, none }: Optionals): void {
  environment.registerType('kubernetes.NamedFormat', Format)
  environment.registerType('FormatNamespace', FormatNamespace)
  environment.registerConstant('format', 'FormatNamespace', new FormatNamespace())
  const named = new Map(Object.entries(formats).map(([name, errors]) => [name, new Format(errors)]))
  for (const [name, format] of named) {
    environment.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format)
  }
  environment.registerFunction(
    'FormatNamespace.named(string): optional<kubernetes.NamedFormat>',
    (_of: unknown, name: string) => {
      const found = named.get(name)
      return found === undefined ? none : some(found)
    },
  )
  environment.registerFunction(
    'kubernetes.NamedFormat.validate(string): optional<list<string>>',
    (format: Format, text: string) => {
      const errors = format.errorsOf(text)
      return errors.length === 0 ? none : some([...errors])
    },
  )
}
