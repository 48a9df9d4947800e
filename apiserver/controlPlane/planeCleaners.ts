import { contentFinalizer, namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { GarbageCollector } from '../controllers/garbageCollector.ts'
import { NamespaceLifecycle } from '../controllers/namespaceLifecycle.ts'
import type { ControlPlane } from './controlPlane.ts'
import type { Clock } from '../meta/clock.ts'

export interface PlaneCleanersOptions {
  plane: ControlPlane
  clock: Clock
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/** The controllers that remove orphaned objects of a plane. The caller starts them. */
export function planeCleaners({
  plane,
  clock,
  report,
}: PlaneCleanersOptions): [NamespaceLifecycle, GarbageCollector] {
  const lifecycle = new NamespaceLifecycle({
    namespaces: plane.storeOf(namespaceResource),
    get resources() {
      return plane.resources
    },
    storeOf: (resource) => plane.storeOf(resource),
    clock,
    finalizer: contentFinalizer,
    report,
  })
  const collector = new GarbageCollector({
    clock,
    report,
    locate: (key) => plane.locate(key),
    storeOf: (reference) => plane.storeOfKind(reference),
    follow: (listener) => plane.followObjects(listener),
  })
  return [lifecycle, collector]
}
