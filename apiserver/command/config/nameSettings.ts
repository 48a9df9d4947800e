import { defaultNames, type NamesProfile } from '../../meta/names/namesProfile.ts'
import { setting, type Setting } from './setting.ts'
import {
  dnsSubdomain,
  identifier,
  lowerCaseWord,
  pathSegment,
  roleName,
  type ValueKind,
} from './valueKinds.ts'

/** Settings of the names profile, which replace the specification's placeholders. */
export const nameSettings: readonly Setting[] = [
  name(
    'platform',
    lowerCaseWord,
    'Name of the platform in field names and values, as in allow<Platform>Cli.',
  ),
  name(
    'domain',
    dnsSubdomain,
    'The group is management.DOMAIN, labels are DOMAIN/…',
    '--names-platform',
  ),
  name('proxySegment', pathSegment, 'First path segment of the management API.'),
  name('workspaceTool', identifier, 'Field <name>SubDomain.'),
  name('gitHostA', identifier, 'Key of the first hosted-git connector.'),
  name('gitHostB', identifier, 'Key of the second hosted-git connector.'),
  name('identityA', identifier, 'Key of the first identity connector.'),
  name('identityB', identifier, 'Key of the second identity connector.'),
  name('clusterManager', identifier, 'Key of the cluster manager connector.'),
  name('secretStore', identifier, 'Key of the secret store settings.'),
  name('costTool', identifier, 'Key of the cost tool settings.'),
  name('cliRole', roleName, 'Scope role of command-line clients.', '<platform>CLI'),
]

/** Connectors that are configured in the same object, each under its own key. */
const connectors = ['gitHostA', 'gitHostB', 'identityA', 'identityB', 'clusterManager'] as const

/** Messages, one for each connector with the same name as an earlier connector. */
export function nameProblems(names: NamesProfile): string[] {
  return connectors.flatMap((key, index) => {
    const same = connectors.slice(0, index).find((earlier) => names[earlier] === names[key])
    return same === undefined
      ? []
      : [`names.${same} and names.${key} must differ, both are ${JSON.stringify(names[key])}`]
  })
}

function name(
  key: keyof NamesProfile,
  kind: ValueKind<string>,
  description: string,
  shownDefault: string = defaultNames[key],
): Setting {
  const assign: Parameters<typeof setting<string>>[1]['assign'] = (draft, value) =>
    void (draft.names[key] = value)
  return setting(`names.${key}`, { kind, default: shownDefault, description, assign })
}
