import { enabledPlugins, type PluginChoice } from '../../runtime/options/admissionPlugins.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import { readAdmissionConfiguration } from './admissionConfiguration.ts'

type PluginOptions = Pick<
  ServerOptions,
  'enableAdmissionPlugins' | 'disableAdmissionPlugins' | 'admissionControlConfigFile'
>

/** The admission plugins of the management API and of clusters, with their configuration. @throws StartError. */
export async function choosePlugins({
  enableAdmissionPlugins,
  disableAdmissionPlugins,
  admissionControlConfigFile,
}: PluginOptions): Promise<{ management: PluginChoice; clusters: PluginChoice }> {
  const { management, clusters } = enabledPlugins(enableAdmissionPlugins, disableAdmissionPlugins)
  const { eventLimits } = await readAdmissionConfiguration(admissionControlConfigFile, (name) =>
    clusters.has(name),
  )
  return {
    management: { names: management, eventLimits },
    clusters: { names: clusters, eventLimits },
  }
}
