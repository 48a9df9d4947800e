const host =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::\\d+)?'
const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const reference = new RegExp(
  `^(?:${host}/)?${part}(?:/${part})*(?::([\\w][\\w.-]{0,127}))?(@[\\w+.-]+:[a-fA-F0-9]{32,})?$`,
)

/**
 * Default pull policy: Always if the string is a valid image name with the tag `latest`, or with
 * neither tag nor digest. Source: Kubernetes documentation, "Images"; distribution's grammar of
 * references.
 */
export function pullPolicyOf(image: string): string {
  const found = reference.exec(image)
  if (found === null || isIdentifier(image) || isTooLong(image)) return 'IfNotPresent'
  const [, tag, digest] = found
  const isNewest = tag === 'latest' || (tag === undefined && digest === undefined)
  return isNewest ? 'Always' : 'IfNotPresent'
}

/** Reports whether the whole string is an image identifier rather than a name. */
function isIdentifier(image: string): boolean {
  return /^[a-f0-9]{64}$/.test(image)
}

const maxPath = 255

/**
 * Reports whether the path of an image, without registry, tag and digest, is too long; a
 * single-part path gets a prefix.
 */
function isTooLong(image: string): boolean {
  const [name = ''] = image.split('@')
  const path = name.replace(/:[^:/]*$/, '')
  const [first = '', ...others] = path.split('/')
  const hasRegistry = others.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const rest = hasRegistry ? others.join('/') : path
  return (rest.includes('/') || hasRegistry ? rest : `library/${rest}`).length > maxPath
}
