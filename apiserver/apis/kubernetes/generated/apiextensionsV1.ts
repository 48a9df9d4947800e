/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const apiextensionsV1 = `
=FieldValueErrorReason ["FieldValueDuplicate","FieldValueForbidden","FieldValueInvalid","FieldValueRequired"]
CustomResourceColumnDefinition name:string!+ type:string!+ format:string? description:string? priority:int32? jsonPath:string!+
CustomResourceConversion strategy:string!+ webhook:WebhookConversion
CustomResourceDefinition kind:string? apiVersion:string? metadata:ObjectMeta+ spec:CustomResourceDefinitionSpec!+ status:CustomResourceDefinitionStatus+
CustomResourceDefinitionCondition type:string!+ status:string!+ lastTransitionTime:Time+ reason:string? message:string? observedGeneration:int64?|g=CRDObservedGenerationTracking
CustomResourceDefinitionList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]CustomResourceDefinition!+
CustomResourceDefinitionNames plural:string!+ singular:string? shortNames:[]string?|l=atomic kind:string!+ listKind:string? categories:[]string?|l=atomic
CustomResourceDefinitionSpec group:string!+ names:CustomResourceDefinitionNames!+ scope:string!+ versions:[]CustomResourceDefinitionVersion!+|l=atomic conversion:CustomResourceConversion preserveUnknownFields:bool?
CustomResourceDefinitionStatus conditions:[]CustomResourceDefinitionCondition+|l=map:type acceptedNames:CustomResourceDefinitionNames+ storedVersions:[]string+|l=atomic observedGeneration:int64?|g=CRDObservedGenerationTracking
CustomResourceDefinitionVersion name:string!+ served:bool!+ storage:bool!+ deprecated:bool? deprecationWarning:string schema:CustomResourceValidation subresources:CustomResourceSubresources additionalPrinterColumns:[]CustomResourceColumnDefinition?|l=atomic selectableFields:[]SelectableField?|l=atomic|g=CustomResourceFieldSelectors
CustomResourceSubresourceScale specReplicasPath:string!+ statusReplicasPath:string!+ labelSelectorPath:string
CustomResourceSubresourceStatus 
CustomResourceSubresources status:CustomResourceSubresourceStatus scale:CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema:JSONSchemaProps
ExternalDocumentation description:string? url:string?
JSONSchemaProps id:string? $schema:string? $ref:string description:string? type:string? format:string? title:string? default:JSON maximum:double exclusiveMaximum:bool? minimum:double exclusiveMinimum:bool? maxLength:int64 minLength:int64 pattern:string? maxItems:int64 minItems:int64 uniqueItems:bool? multipleOf:double enum:[]JSON?|l=atomic maxProperties:int64 minProperties:int64 required:[]string?|l=atomic items:JSONSchemaPropsOrArray allOf:[]JSONSchemaProps?|l=atomic oneOf:[]JSONSchemaProps?|l=atomic anyOf:[]JSONSchemaProps?|l=atomic not:JSONSchemaProps properties:{}JSONSchemaProps? additionalProperties:JSONSchemaPropsOrBool patternProperties:{}JSONSchemaProps? dependencies:{}JSONSchemaPropsOrStringArray? additionalItems:JSONSchemaPropsOrBool definitions:{}JSONSchemaProps? externalDocs:ExternalDocumentation example:JSON nullable:bool? x-kubernetes-preserve-unknown-fields:bool x-kubernetes-embedded-resource:bool? x-kubernetes-int-or-string:bool? x-kubernetes-list-map-keys:[]string?|l=atomic x-kubernetes-list-type:string x-kubernetes-map-type:string x-kubernetes-validations:[]ValidationRule?|l=map:rule|p=merge:rule
SelectableField jsonPath:string!+
ServiceReference namespace:string!+ name:string!+ path:string port:int32
ValidationRule rule:string!+ message:string? messageExpression:string? reason:string|e=FieldValueErrorReason fieldPath:string? optionalOldSelf:bool|g=CRDValidationRatcheting
WebhookClientConfig url:string service:ServiceReference caBundle:bytes?
WebhookConversion clientConfig:WebhookClientConfig conversionReviewVersions:[]string!+|l=atomic
`
