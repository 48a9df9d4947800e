import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import { decodeWholeYaml } from '../encoding/yaml.ts'
import { isObject } from '../meta/json/isObject.ts'
import { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'

/** The host cluster that an instance names, and the namespace there; empty: none is named. */
export function hostOf(instance: ApiObject): { cluster: string; namespace: string } {
  // The schema of the kind says what its reference to a cluster holds.
  const spec = instance['spec'] as { clusterRef?: ClusterReference } | undefined
  const { cluster = '', namespace = '' } = spec?.clusterRef ?? {}
  return { cluster, namespace }
}

interface ClusterReference {
  cluster?: string
  namespace?: string
}

/** The values that the virtual cluster is installed with, a YAML document: its configuration. */
export function valuesOf(instance: ApiObject): string {
  const template = part(instance['status'], 'virtualCluster') ?? part(instance['spec'], 'template')
  const values = part(part(template, 'helmRelease'), 'values')
  return typeof values === 'string' ? values : ''
}

/** The configuration in the values, decoded, and what is wrong with it, or likely a mistake: a sentence for each thing. */
export async function readConfiguration(
  values: string,
  runtime: () => Promise<Pick<ExpressionRuntime, 'check'>>,
): Promise<{ config: unknown; problems: readonly string[]; warnings: readonly string[] }> {
  if (values.trim() === '') return { config: {}, problems: [], warnings: [] }
  let config: unknown
  try {
    config = (await decodeWholeYaml(Buffer.from(values))).value ?? {}
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const problem = `the configuration cannot be read: ${error.message}`
    return { config: {}, problems: [problem], warnings: [] }
  }
  // Heavy, and only for those who sync.
  const { configProblems, configWarnings } = await import('../../syncer/config/configProblems.ts')
  const check = async (source: string) => (await runtime()).check(source)
  const problems = await configProblems(config, { check })
  return { config, problems, warnings: configWarnings(config) }
}

function part(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}
