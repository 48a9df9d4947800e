import { X509Certificate } from 'node:crypto'
import { addToGroup } from '../../../meta/collections/groupBy.ts'
import { invalidField, tooLongField, type FieldError } from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { nameColumn } from '../../../registry/table.ts'
import { cellColumn } from '../../columns.ts'
import { unchanged } from '../../fieldChecks.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { refusedLabel } from '../fieldLabels.ts'
import { signerErrors } from '../core/volume/signerNames.ts'
import { pemBlocks, type PemBlock } from './pemBlocks.ts'

interface Bundle extends ApiObject {
  spec?: { signerName?: string; trustBundle?: string }
}

const maxBundleBytes = 1024 * 1024

/**
 * Definition of the ClusterTrustBundle kind. Source: Kubernetes API reference, ClusterTrustBundle v1; seen on
 * kube-apiserver 1.37.2.
 */
export function clusterTrustBundleResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'certificates.k8s.io',
    version: 'v1',
    plural: 'clustertrustbundles',
    kind: 'ClusterTrustBundle',
    namespaced: false,
    description: 'ClusterTrustBundle contains CA certificates that pods trust.',
    selectableFields: { 'spec.signerName': (object) => signerOf(object) },
    isNamespaceSelectable: false,
    refusedField: refusedLabel,
    strategy: {
      nameRule: 'pathSegment',
      generation: 'none',
      allowUnconditionalUpdate: false,
      validate: (bundle) => [...commonErrors(bundle), ...bundleErrors(rootsOf(bundle))],
      validateUpdate: (next, old) => [
        ...commonErrors(next),
        ...(rootsOf(next) === rootsOf(old) ? [] : bundleErrors(rootsOf(next))),
        ...unchanged('spec.signerName', signerOf(next), signerOf(old)),
      ],
    },
    columns: [
      nameColumn,
      cellColumn('SignerName', 'Signer of the certificates.', (object) => {
        const signer = signerOf(object)
        return signer === '' ? '<none>' : signer
      }),
    ],
  })
}

function signerOf({ spec }: Bundle): string {
  return spec?.signerName ?? ''
}

function rootsOf({ spec }: Bundle): string {
  return spec?.trustBundle ?? ''
}

function commonErrors(bundle: Bundle): FieldError[] {
  const { name = '' } = bundle.metadata
  const signer = signerOf(bundle)
  return [
    ...nameProblems(name, signer).map((text) => invalidField('metadata.name', name, text)),
    ...(signer === '' ? [] : signerErrors('spec.signerName', signer)),
  ]
}

/**
 * Problems with the name of a signer's bundle, which begins with the name of the signer, with
 * colons in place of slashes.
 */
function nameProblems(name: string, signer: string): string[] {
  if (name === '') return []
  if (signer === '') {
    if (!name.includes(':')) return subdomainErrors(name)
    return ['ClusterTrustBundle without signer name must not have ":" in its name']
  }
  const prefix = `${signer.replaceAll('/', ':')}:`
  if (name.startsWith(prefix)) return subdomainErrors(name.slice(prefix.length))
  return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`]
}

const path = 'spec.trustBundle'

function bundleErrors(text: string): FieldError[] {
  if (Buffer.byteLength(text) > maxBundleBytes) return [tooLongField(path, maxBundleBytes)]
  const blocks = pemBlocks(text)
  const refuse = (why: string) => invalidField(path, '<value omitted>', why)
  const wrong = blocks.flatMap((block, at) => {
    const why = blockProblem(block)
    return why === undefined ? [] : [refuse(`entry ${at} ${why}`)]
  })
  if (wrong.length > 0) return wrong
  if (blocks.length === 0) return [refuse('at least one trust anchor must be provided')]
  return repeated(blocks).map((places) =>
    refuse(`duplicate trust anchor (indices [${places.join(' ')}])`),
  )
}

function blockProblem({ type, hasHeaders, der }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`
  if (hasHeaders) return 'has PEM block headers'
  try {
    return new X509Certificate(der).ca ? undefined : 'does not have the CA bit set'
  } catch {
    return 'does not parse as X.509'
  }
}

/** Positions of certificates that occur more than once. */
function repeated(blocks: readonly PemBlock[]): number[][] {
  const places = new Map<string, number[]>()
  for (const [at, { der }] of blocks.entries()) addToGroup(places, der.toString('base64'), at)
  return [...places.values()].filter((one) => one.length > 1)
}
