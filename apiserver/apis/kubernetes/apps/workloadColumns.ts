import type { Column } from '../../../registry/resource.ts'
import { cellColumn, wide } from '../../columns.ts'
import { selectorText } from '../labelSelection.ts'
import { asWorkload, containersText } from './workload.ts'

export const containersColumn = wide(
  cellColumn('Containers', 'Container names.', (object) =>
    containersText(asWorkload({ ...object }).spec.template, 'name'),
  ),
)

export const imagesColumn = wide(
  cellColumn('Images', 'Container images.', (object) =>
    containersText(asWorkload({ ...object }).spec.template, 'image'),
  ),
)

const selectorColumn = wide(
  cellColumn('Selector', 'Label selector of the pods.', (object) =>
    selectorText(asWorkload({ ...object }).spec.selector),
  ),
)

/** Containers, images and selector, shown for most workloads by `-o wide`. */
export const templateColumns: readonly Column[] = [containersColumn, imagesColumn, selectorColumn]

/** Column of ready and desired replicas. */
export const readyColumn = cellColumn('Ready', 'Ready replicas and desired replicas.', (object) => {
  const { spec, status } = asWorkload({ ...object })
  return `${Number(status['readyReplicas'] ?? 0)}/${spec.replicas ?? 0}`
})
