import {
  celLibraryOf,
  definitionsResource,
} from '../apis/kubernetes/apiextensions/customResourceDefinition.ts'
import { customScale } from '../apis/kubernetes/apiextensions/customScale.ts'
import { BuiltInTypes } from '../apis/kubernetes/builtInTypes.ts'
import type { PlaneAccess } from '../apis/planeAccess.ts'
import type { ControlPlane } from './controlPlane.ts'
import { ownedStatus } from './ownedStatus.ts'
import { CustomResourceServing } from '../customResources/customResourceServing.ts'
import type { Clock } from '../meta/clock.ts'

export interface CustomResourcesOptions {
  plane: ControlPlane
  /** Access to the plane. */
  access: PlaneAccess
  clock: Clock
  /**
   * Resolves when all servers that share the storage serve the writes up to a revision; undefined:
   * they already do.
   */
  servedByAll: (revision: number) => Promise<void> | undefined
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/** Serves the custom kinds of a plane. Resolves when all stored definitions are served. */
export async function openCustomResources({
  plane,
  access,
  clock,
  servedByAll,
  report,
}: CustomResourcesOptions): Promise<CustomResourceServing> {
  const context = { access, types: new BuiltInTypes() }
  const definitions = access.store(definitionsResource)
  const serving = new CustomResourceServing({
    plane,
    definitions,
    ownStatus: ownedStatus(definitions, plane.resources),
    cel: celLibraryOf(definitions.resource),
    calls: plane.admission.calls,
    scaleOf: (paths, of) => customScale(context, paths, of),
    clock,
    servedByAll,
    report,
  })
  await serving.start()
  return serving
}
