package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

func discoveryScenarios() []scenario {
	return []scenario{
		{Name: "6.2: discovery is aggregated: two requests for everything", run: aggregatedDiscovery},
		{Name: "6.1: legacy discovery tells the same", run: legacyDiscovery},
		{Name: "preferred resources, also of one namespace", run: preferredResources},
		{Name: "cached disk discovery: a second client asks nothing, an invalidated one is answered 304", run: diskDiscovery},
		{Name: "REST mapper with deferred discovery: kinds, resources, scopes", run: restMapper},
		{Name: "REST mapper: short names", run: shortNames},
		{Name: "server version", run: serverVersion},
	}
}

func (t *test) discovery() *discovery.DiscoveryClient {
	client, err := discovery.NewDiscoveryClientForConfig(t.config())
	t.check("make a discovery client", err)
	return client
}

func aggregatedDiscovery(t *test) {
	groups, resources, err := t.discovery().ServerGroupsAndResources()
	t.check("ServerGroupsAndResources", err)
	t.hold("the core group is there", slices.ContainsFunc(groups, func(it *metav1.APIGroup) bool { return it.Name == "" }))
	t.hold("users are there", slices.Contains(described(resources), "management.platform/v1 users User user false create,delete,deletecollection,get,list,patch,update,watch  "))
	t.hold("config maps are there", slices.Contains(described(resources), "v1 configmaps ConfigMap configmap true create,delete,deletecollection,get,list,patch,update,watch cm "))
	var paths []string
	for _, sent := range t.requests.answered(any_) {
		paths = append(paths, sent.path[strings.LastIndex(sent.path, "/api"):])
		t.hold("aggregated discovery is asked for", strings.Contains(sent.accept, "as=APIGroupDiscoveryList"))
		t.hold("and answered: "+sent.answerType, strings.Contains(sent.answerType, "as=APIGroupDiscoveryList"))
	}
	sort.Strings(paths)
	t.equal("paths", paths, []string{"/api", "/apis"})
}

func legacyDiscovery(t *test) {
	legacy := t.discovery()
	legacy.UseLegacyDiscovery = true
	groups, resources, err := legacy.ServerGroupsAndResources()
	t.check("legacy discovery", err)
	for _, sent := range t.requests.answered(any_) {
		t.hold("legacy discovery is answered: "+sent.answerType, !strings.Contains(sent.answerType, "as="))
	}
	wantGroups, wantResources, err := t.discovery().ServerGroupsAndResources()
	t.check("aggregated discovery", err)
	t.equal("resources", described(resources), described(wantResources))
	t.equal("number of groups", len(groups), len(wantGroups))
	for i, group := range groups {
		t.equal("versions of "+group.Name, group.PreferredVersion, wantGroups[i].PreferredVersion)
	}
}

// described are all resources in comparable lines, sorted.
func described(lists []*metav1.APIResourceList) []string {
	var lines []string
	for _, list := range lists {
		for _, it := range list.APIResources {
			verbs := sortedVerbs(it.Verbs)
			if strings.Contains(it.Name, "/") {
				// Legacy discovery names no singular of a subresource; the client makes one up from the aggregated form.
				it.SingularName = ""
			}
			scope := "false"
			if it.Namespaced {
				scope = "true"
			}
			lines = append(lines, strings.Join([]string{
				list.GroupVersion, it.Name, it.Kind, it.SingularName, scope,
				strings.Join(verbs, ","), strings.Join(it.ShortNames, ","), strings.Join(it.Categories, ","),
			}, " "))
		}
	}
	sort.Strings(lines)
	return lines
}

func preferredResources(t *test) {
	preferred, err := t.discovery().ServerPreferredResources()
	t.check("ServerPreferredResources", err)
	found, err := discovery.GroupVersionResources(discovery.FilteredBy(
		discovery.SupportsAllVerbs{Verbs: []string{"list", "watch"}}, preferred))
	t.check("GroupVersionResources", err)
	for _, wanted := range []schema.GroupVersionResource{sharedSecrets, users, configMaps} {
		_, has := found[wanted]
		t.hold(wanted.String()+" is there", has)
	}
	ofNamespaces, err := t.discovery().ServerPreferredNamespacedResources()
	t.check("ServerPreferredNamespacedResources", err)
	found, err = discovery.GroupVersionResources(ofNamespaces)
	t.check("GroupVersionResources", err)
	_, hasUsers := found[users]
	_, hasSecrets := found[sharedSecrets]
	t.hold("users are in no namespace, shared secrets are", !hasUsers && hasSecrets)
	one, err := t.discovery().ServerResourcesForGroupVersion("v1")
	t.check("ServerResourcesForGroupVersion", err)
	t.equal("group version", one.GroupVersion, "v1")
}

func diskDiscovery(t *test) {
	open := func() *disk.CachedDiscoveryClient {
		client, err := disk.NewCachedDiscoveryClientForConfig(t.config(),
			filepath.Join(t.folder, "discovery"), filepath.Join(t.folder, "http"), time.Hour)
		t.check("make a cached client", err)
		return client
	}
	first := open()
	_, want, err := first.ServerGroupsAndResources()
	t.check("first discovery", err)
	t.requests.forget()
	_, got, err := open().ServerGroupsAndResources()
	t.check("discovery from disk", err)
	t.equal("resources from disk", described(got), described(want))
	t.equal("requests of the second client", len(t.requests.answered(any_)), 0)
	first.Invalidate()
	_, got, err = first.ServerGroupsAndResources()
	t.check("discovery after Invalidate", err)
	t.equal("resources after Invalidate", described(got), described(want))
	sent := t.requests.answered(any_)
	t.hold("it asked again", len(sent) > 0)
	for _, request := range sent {
		t.equal("answer to "+request.path, request.status, http.StatusNotModified)
	}
}

func restMapper(t *test) {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(t.discovery()))
	cases := []struct {
		kind     schema.GroupKind
		resource schema.GroupVersionResource
		scope    meta.RESTScopeName
	}{
		{schema.GroupKind{Kind: "ConfigMap"}, configMaps, meta.RESTScopeNameNamespace},
		{schema.GroupKind{Group: managementVersion.Group, Kind: "SharedSecret"}, sharedSecrets, meta.RESTScopeNameNamespace},
		{schema.GroupKind{Group: managementVersion.Group, Kind: "User"}, users, meta.RESTScopeNameRoot},
	}
	for _, want := range cases {
		mapping, err := mapper.RESTMapping(want.kind)
		t.check("RESTMapping", err)
		t.equal("resource of "+want.kind.String(), mapping.Resource, want.resource)
		t.equal("scope of "+want.kind.String(), mapping.Scope.Name(), want.scope)
		kind, err := mapper.KindFor(want.resource.GroupResource().WithVersion(""))
		t.check("KindFor", err)
		t.equal("kind of "+want.resource.String(), kind.GroupKind(), want.kind)
	}
	singular, err := mapper.ResourceSingularizer("sharedsecrets")
	t.check("ResourceSingularizer", err)
	t.equal("singular", singular, "sharedsecret")
	_, err = mapper.RESTMapping(schema.GroupKind{Group: managementVersion.Group, Kind: "Nothing"})
	t.hold("an unknown kind has no match", meta.IsNoMatchError(err))
}

func shortNames(t *test) {
	client := memory.NewMemCacheClient(t.discovery())
	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(client), client, nil)
	for short, want := range map[string]string{"cm": "configmaps", "svc": "services", "ns": "namespaces"} {
		resource, err := mapper.ResourceFor(schema.GroupVersionResource{Resource: short})
		t.check("ResourceFor "+short, err)
		t.equal("resource of "+short, resource, schema.GroupVersionResource{Version: "v1", Resource: want})
	}
}

func serverVersion(t *test) {
	version, err := t.discovery().ServerVersion()
	t.check("ServerVersion", err)
	t.hold("it has a major and a minor: "+version.String(), version.Major == "1" && version.Minor != "" && version.GitVersion != "")
}

func sortedVerbs(verbs []string) []string {
	sorted := slices.Clone(verbs)
	sort.Strings(sorted)
	return sorted
}
