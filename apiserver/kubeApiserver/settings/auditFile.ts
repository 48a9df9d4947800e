import { readFile } from 'node:fs/promises'
import { auditSettingsErrors } from '../../audit/settingsErrors.ts'
import type { AuditPolicy, AuditSettings } from '../../audit/auditSettings.ts'
import { decodeYaml } from '../../encoding/yaml.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'
import type { FlagValues } from '../flags/kubeFlagValues.ts'
import type { KubeSettings } from './kubeSettings.ts'

/** Audit settings of the flags; without a policy nothing is recorded. @throws StartError for an unusable policy. */
export async function auditSettings(
  { logPath, policyFile }: KubeSettings['audit'],
  values: FlagValues,
): Promise<AuditSettings> {
  if (logPath === undefined || policyFile === undefined) return { enabled: false }
  const settings: AuditSettings = {
    enabled: true,
    path: logPath,
    policy: await readPolicy(policyFile),
    maxAge: values.number('audit-log-maxage'),
    maxBackups: values.number('audit-log-maxbackup'),
    maxSize: values.number('audit-log-maxsize'),
    compress: values.flag('audit-log-compress'),
  }
  const [error] = auditSettingsErrors(settings, 'audit')
  if (error !== undefined) {
    throw new StartError(`${policyFile} is no audit policy: ${error.field}: ${error.message}`)
  }
  return settings
}

async function readPolicy(file: string): Promise<AuditPolicy> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw cannotRead(`the audit policy ${file}`, error)
  })
  const { value } = await decodeYaml(bytes).catch((error: unknown) => {
    throw cannotRead(`the audit policy ${file}`, error)
  })
  const { rules, omitStages } = isObject(value) ? value : {}
  if (!Array.isArray(rules) || rules.length === 0) {
    throw new StartError(`loading audit policy file: loaded illegal policy with 0 rules`)
  }
  // Sound: auditSettingsErrors checks levels and stages, and unknown fields have no effect.
  return { rules, ...(Array.isArray(omitStages) ? { omitStages } : {}) }
}
