import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import { codeValues, type CodeValues, type ValueKind } from './valueKinds.ts'

/** All settings before they are validated together. */
export interface Draft extends Partial<
  Omit<ServerOptions, 'names' | 'history' | 'delegation' | 'etcd' | 'backup' | 'tracing'>
> {
  names: Partial<NamesProfile>
  history: Partial<ServerOptions['history']>
  tracing: Partial<ServerOptions['tracing']>
  delegation: Partial<ServerOptions['delegation']>
  etcd: Partial<ServerOptions['etcd']>
  backup: Partial<ServerOptions['backup']>
}

/**
 * A row of a table of settings, which assigns its value to a draft `D`. Parsing, validation, help
 * and README are derived from it.
 */
export interface Setting<D = Draft> {
  /** Path in the settings file, such as `history.retainSeconds`. */
  path: string
  /** Flag without its dashes, such as `history-retain-seconds`. */
  flag: string
  /** Environment variable, such as `PLATFORM_HISTORY_RETAIN_SECONDS`. */
  env: string
  /** Path in the options of `startServer`, such as `history.retainSeconds`. */
  option: string
  /** Valid values in the options of `startServer`. */
  inCode: CodeValues
  /** True if the settings file may contain the setting. */
  inFile: boolean
  /** True if the value must never be printed. */
  secret: boolean
  /**
   * True if the flag without a value means `true`. In the settings file, the value is a YAML
   * boolean.
   */
  isSwitch: boolean
  placeholder: string
  /** End of the sentence "… must be". */
  mustBe: string
  /** Default as shown in the help; empty: none. */
  defaultText: string
  description: string
  /**
   * Returns a function that assigns the parsed value to a draft; undefined: the value is invalid.
   */
  read: (text: string) => ((draft: D) => void) | undefined
}

export interface SettingSpec<T, D = Draft> {
  kind: ValueKind<T>
  /** Default as shown in the help; the actual default comes from `serverOptions`. */
  default?: string | number | undefined
  description: string
  /** Path in the options of `startServer`. Default: `path`. */
  option?: string
  secret?: true
  notInFile?: true
  assign(draft: D, value: T): void
}

/**
 * Creates a setting. Its flag and environment variable are derived from its path, so that they
 * always match.
 */
export function setting<T, D = Draft>(path: string, spec: SettingSpec<T, D>): Setting<D> {
  const flag = kebabCase(path)
  return {
    path,
    flag,
    env: `PLATFORM_${flag.replaceAll('-', '_').toUpperCase()}`,
    option: spec.option ?? path,
    inCode: codeValues(spec.kind),
    inFile: spec.notInFile !== true,
    secret: spec.secret === true,
    isSwitch: spec.kind.isSwitch === true,
    placeholder: spec.kind.placeholder,
    mustBe: spec.kind.mustBe,
    defaultText: String(spec.default ?? ''),
    description: spec.description,
    read(text) {
      const value = spec.kind.parse(text)
      return value === undefined ? undefined : (draft) => spec.assign(draft, value)
    },
  }
}

function kebabCase(path: string): string {
  return path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
