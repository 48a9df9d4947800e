import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GivenServerOptions } from '../../../../apiserver/runtime/options/serverOptions.ts'

/** Admission of both servers. */
export interface AdmissionSetup {
  enabled?: readonly string[]
  disabled?: readonly string[]
  /** Content of the file of `--admission-control-config-file`. Default: none. */
  configuration?: object
}

/**
 * Plugins that are off on both servers by default: some need a controller here to count or remove
 * what they set, others refuse what the rules of a kind would check.
 */
const alwaysDisabled = ['ResourceQuota', 'RuntimeClass', 'StorageObjectInUseProtection']

/** Flags of the real server. */
export function realAdmission(
  setup: AdmissionSetup,
  folder: string,
): Readonly<Record<string, string>> {
  const { enabled = [], configuration } = setup
  return {
    ...(enabled.length === 0 ? {} : { 'enable-admission-plugins': enabled.join(',') }),
    'disable-admission-plugins': disabledOf(setup).join(','),
    ...(configuration === undefined
      ? {}
      : { 'admission-control-config-file': written(configuration, folder, 'real') }),
  }
}

/** Options of this server. */
export function ownAdmission(setup: AdmissionSetup, folder: string): GivenServerOptions {
  const { enabled = [], configuration } = setup
  return {
    enableAdmissionPlugins: enabled,
    disableAdmissionPlugins: disabledOf(setup).filter((name) => !enabled.includes(name)),
    ...(configuration === undefined
      ? {}
      : { admissionControlConfigFile: written(configuration, folder, 'ours') }),
  }
}

function disabledOf({ enabled = [], disabled = [] }: AdmissionSetup): string[] {
  return [...alwaysDisabled, ...disabled].filter((name) => !enabled.includes(name))
}

function written(configuration: object, folder: string, name: string): string {
  const file = join(folder, `${name}-admission.json`)
  writeFileSync(file, JSON.stringify(configuration))
  return file
}
