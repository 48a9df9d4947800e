import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names of the tests that pass on the real server, one per line. */
export const listFile = join(import.meta.dirname, 'passing.txt')

/** Regular expression for the tests in the list. */
export function listedTests(): string {
  const names = readFileSync(listFile, 'utf8').trimEnd().split('\n')
  return names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
}

/** Regular expressions for tests of containers, which no node here runs. */
export const needContainers: readonly string[] = [
  // Files, variables and processes of a container.
  String.raw`consumable (from|in|via|as)`,
  String.raw`reflected in volume`,
  String.raw`\[sig-storage\] (Projected|Downward API|EmptyDir|Subpath)`,
  String.raw`Projected PodCertificate`,
  String.raw`\[sig-node\] (Variable Expansion|Security Context|Containers|Probing|Sysctls|Downward API|Kubelet)`,
  String.raw`\[sig-node\] (Container Runtime|Container Lifecycle|InitContainer|Ephemeral|PrivilegedPod|NoExecute)`,
  String.raw`\[sig-node\] Pods should (contain|support remote|support retrieving|run through|cap back-off)`,
  String.raw`should be able to mount in a volume`,
  // Exits of containers, and their programs.
  String.raw`StatefulSetBasic\] (should perform|Should recreate|should list|Scaling|Burst)`,
  String.raw`Job with successPolicy`,
  String.raw`Job should (delete|execute|mark|terminate|run a job|allow to use the pod failure policy on exit)`,
  String.raw`activeDeadlineSeconds`,
  String.raw`serve a basic image`,
  String.raw`EndpointSlice should support a Service`,
  String.raw`CustomResourceFieldSelectors`,
  String.raw`ClusterTrustBundle.*(mount|specify|prevent)`,
  String.raw`InPlace Resize|ImageVolume|PreStop|run and stop complex daemon`,
  // Traffic between pods.
  String.raw`Networking Granular`,
  String.raw`Proxy version`,
  String.raw`\[sig-network\] (DNS|HostPort|Ingress.*conformance.*traffic)`,
  String.raw`Services should (be able|serve|have session|complete a service status lifecycle with)`,
  // Servers that run in pods.
  String.raw`AdmissionWebhook`,
  String.raw`CustomResourceConversionWebhook`,
  String.raw`Aggregator`,
  String.raw`Guestbook`,
  String.raw`Kubectl (logs|expose|replace|run pod|server-side dry-run|exec|port-forward|Proxy)`,
  String.raw`ServiceAccountIssuerDiscovery`,
  String.raw`should mount an API token`,
  String.raw`mount projected service account`,
]
