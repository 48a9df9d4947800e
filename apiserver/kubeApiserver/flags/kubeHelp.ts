import { flagSections, type KubeFlag } from './flag.ts'
import { kubeFlags } from './readFlags.ts'

const noEffect = 'Accepted; has no effect here.'

/** Output of `kube-apiserver --help`. */
export function helpText(): string {
  const sections = flagSections.map((section) => {
    const flags = kubeFlags.filter((flag) => flag.section === section)
    const lines = flags.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(flagHelp)
    return `${section} flags:\n\n${lines.join('\n')}\n`
  })
  return `kube-apiserver with the API of one cluster, to run tests against, served by platform-apiserver.

Usage:
  kube-apiserver [flags]

${sections.join('\n')}
Global flags:

  -h, --help
        Shows this text.
      --version
        Shows the version.
`
}

function flagHelp({ name, short, type, default: value, description }: KubeFlag): string {
  const start = short === undefined ? '      ' : `  -${short}, `
  const shownType = type === 'bool' ? '' : ` ${type}`
  const shownDefault = value === undefined ? '' : ` (default ${value})`
  return `${start}--${name}${shownType}\n        ${description ?? noEffect}${shownDefault}`
}
