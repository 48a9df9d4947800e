import type { Authorizer } from '../../../authorization/authorizer.ts'
import type { AdmissionTarget } from '../../../registry/admission.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import type { PlaneObjects } from '../../planeObjects.ts'
import { admitPodCertificate } from './nodeCertificates.ts'
import { nodeOf } from './nodeIdentity.ts'
import {
  admitClaim,
  admitCsiNode,
  admitLease,
  admitNode,
  admitResourceSlice,
  admitSigningRequest,
} from './nodeObjects.ts'
import { admitPod } from './nodePods.ts'
import { require, type NodeRule } from './nodeRequest.ts'
import { admitToken } from './nodeTokens.ts'

/** The rules by resource and group. */
const rules: Readonly<Record<string, NodeRule>> = {
  'pods.': admitPod,
  'nodes.': admitNode,
  'persistentvolumeclaims.': admitClaim,
  'serviceaccounts.': admitToken,
  'podcertificaterequests.certificates.k8s.io': admitPodCertificate,
  'leases.coordination.k8s.io': admitLease,
  'csinodes.storage.k8s.io': admitCsiNode,
  'resourceslices.resource.k8s.io': admitResourceSlice,
  'certificatesigningrequests.certificates.k8s.io': admitSigningRequest,
}

/**
 * Restricts nodes to their own objects and those of their pods, regardless of other rights. Source:
 * Kubernetes, NodeRestriction; seen on kube-apiserver 1.37.2.
 */
export function nodeRestriction(objects: PlaneObjects, authorize: Authorizer): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    handles: ({ operation }) => operation !== 'CONNECT',
    mutate: (request) => {
      const node = nodeOf(request.context.user)
      if (node === undefined) return undefined
      const given = { request, node, objects, authorize }
      const { name } = request.context.user
      require(node !== '', given, `could not determine node from user ${JSON.stringify(name)}`)
      return ruleOf(request)?.(given)
    },
  }
}

function ruleOf({ resource }: AdmissionTarget): NodeRule | undefined {
  return rules[`${resource.plural}.${resource.group}`]
}
