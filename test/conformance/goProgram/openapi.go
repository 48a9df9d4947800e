package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/cached"
	"k8s.io/client-go/openapi3"
)

func openAPIScenarios() []scenario {
	return []scenario{
		{Name: "6.4: OpenAPI v2, as protobuf", run: openAPIV2},
		{Name: "6.5: OpenAPI v3: index and documents", run: openAPIV3},
		{Name: "6.5: OpenAPI v3 documents of every path", run: openAPIV3Documents},
	}
}

func openAPIV2(t *test) {
	document, err := t.discovery().OpenAPISchema()
	t.check("OpenAPISchema", err)
	names := map[string]bool{}
	for _, definition := range document.GetDefinitions().GetAdditionalProperties() {
		names[definition.GetName()] = true
	}
	t.hold("ConfigMap is defined", names["io.k8s.api.core.v1.ConfigMap"])
	t.hold("SharedSecret is defined", names["platform.management.v1.SharedSecret"])
}

func openAPIV3(t *test) {
	client := cached.NewClient(t.discovery().OpenAPIV3())
	root := openapi3.NewRoot(client)
	versions, err := root.GroupVersions()
	t.check("GroupVersions", err)
	for _, want := range []schema.GroupVersion{{Version: "v1"}, managementVersion} {
		found := false
		for _, version := range versions {
			found = found || version == want
		}
		t.hold(want.String()+" is in the index", found)
	}
	core, err := root.GVSpec(schema.GroupVersion{Version: "v1"})
	t.check("GVSpec of v1", err)
	spec := core.Components.Schemas["io.k8s.api.core.v1.ServiceSpec"]
	t.hold("ServiceSpec is defined", spec != nil)
	ports := spec.Properties["ports"]
	t.equal("merge key of ports", ports.Extensions["x-kubernetes-patch-merge-key"], any("port"))
	t.equal("list type of ports", ports.Extensions["x-kubernetes-list-type"], any("map"))
	management, err := root.GVSpec(managementVersion)
	t.check("GVSpec of the management group", err)
	t.hold("SharedSecret is described", management.Components.Schemas["platform.management.v1.SharedSecret"] != nil)
	patch := management.Paths.Paths["/apis/management.platform/v1/namespaces/{namespace}/sharedsecrets/{name}"].Patch
	t.hold("its patch takes an apply", patch.RequestBody.Content["application/apply-patch+yaml"] != nil)
	t.requests.forget()
	_, err = root.GVSpec(managementVersion)
	t.check("GVSpec again", err)
	t.equal("requests for it", len(t.requests.answered(any_)), 0)
}

func openAPIV3Documents(t *test) {
	paths, err := t.discovery().OpenAPIV3().Paths()
	t.check("Paths", err)
	for key, path := range paths {
		text := schemaOf(t, key, path, runtime.ContentTypeJSON)
		t.hold(key+" is JSON", json.Valid(text))
	}
}

func schemaOf(t *test, key string, path openapi.GroupVersion, contentType string) []byte {
	document, err := path.Schema(contentType)
	t.check("document of "+key+" as "+contentType, err)
	return document
}
