import type { ExpressionRuntime } from '../../syncer/expressions/expressionRuntime.ts'
import { memberAt, templateValues } from '../apis/management/instances/instanceParts.ts'
import { decodeWholeYaml } from '../encoding/yaml.ts'
import { StatusError } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'

/** The host cluster of an instance, and the namespace there; empty: unset. */
export function hostOf(instance: ApiObject): { cluster: string; namespace: string } {
  // Sound by the schema of the kind.
  const spec = instance['spec'] as { clusterRef?: ClusterReference } | undefined
  const { cluster = '', namespace = '' } = spec?.clusterRef ?? {}
  return { cluster, namespace }
}

interface ClusterReference {
  cluster?: string
  namespace?: string
}

/** The Helm values of the virtual cluster, a YAML document with its configuration. */
export function valuesOf(instance: ApiObject): string {
  const rendered = memberAt(instance['status'], 'virtualCluster')
  return templateValues(rendered ?? memberAt(instance['spec'], 'template'))
}

/** The decoded configuration in the values, its problems and likely mistakes: one sentence each. */
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
  // Loaded on demand: it is heavy, and only used for syncing.
  const { configProblems, configWarnings } = await import('../../syncer/config/configProblems.ts')
  const check = async (source: string) => (await runtime()).check(source)
  const problems = await configProblems(config, { check })
  return { config, problems, warnings: configWarnings(config) }
}
