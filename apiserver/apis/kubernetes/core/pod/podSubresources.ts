import type { SubresourceDefinition } from '../../../../registry/resource.ts'
import type { KindContext } from '../../builtInKind.ts'
import { podProxySubresource } from '../proxy/podProxy.ts'
import { bindingSubresource } from './podBinding.ts'
import { ephemeralContainersSubresource } from './podEphemeralContainers.ts'
import { evictionSubresource } from './podEviction.ts'
import { nodeSubresources } from './podNodeAnswers.ts'
import { resizeSubresource } from './podResize.ts'

/** Subresources of a pod besides its status. */
export function podSubresources(context: KindContext): SubresourceDefinition[] {
  return [
    bindingSubresource(context),
    evictionSubresource(context),
    ephemeralContainersSubresource,
    resizeSubresource,
    ...nodeSubresources(context),
    podProxySubresource(context),
  ]
}
