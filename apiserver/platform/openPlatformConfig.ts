import { configRules, newConfigRules } from '../apis/management/config/configRules.ts'
import { configStatusSchema } from '../apis/management/config/configStatus.ts'
import { urlErrors } from '../apis/management/config/urlRules.ts'
import { auditSettingsErrors } from '../audit/settingsErrors.ts'
import { PlatformConfig } from '../platformConfig/platformConfig.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'

/** The platform's configuration with the rules of all its parts, not started. */
export function openPlatformConfig(
  { names, environment }: Pick<ServerOptions, 'names' | 'environment'>,
  report: (error: unknown) => void,
): PlatformConfig {
  const rulesOfParts = configRules(names)
  const rules = (config: Readonly<Record<string, unknown>>) => [
    ...rulesOfParts(config),
    // Sound: rules only run on documents that are valid by the schema.
    ...auditSettingsErrors(config['audit'] ?? {}, 'audit'),
  ]
  const schema = configStatusSchema(names)
  const newRules = newConfigRules(names)
  const rulesOfNew = (config: Readonly<Record<string, unknown>>) => [
    ...newRules(config),
    ...urlErrors(config, schema),
  ]
  const format = { schema, rules, rulesOfNew, environment }
  return new PlatformConfig({ names, format, report })
}
