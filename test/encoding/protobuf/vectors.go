// Reads vectors.json and prints it anew: each object as Kubernetes' own Go library writes it in protobuf and then, from
// those bytes, in JSON. To run it, copy it into a module that requires k8s.io/{api,apimachinery,client-go,
// apiextensions-apiserver,kube-aggregator} of the version in hack/kubernetes-version:
//
//	go run . < vectors.json > new.json
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializerjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type vector struct {
	Name string `json:"name"`
	// Event is the type of the watch event that Protobuf is the frame of, in place of the object.
	Event    string          `json:"event,omitempty"`
	JSON     json.RawMessage `json:"json"`
	Protobuf []byte          `json:"protobuf"`
}

func main() {
	for _, add := range []func(*runtime.Scheme) error{
		apiextensions.AddToScheme, apiregistration.AddToScheme, meta.AddMetaToScheme, metav1beta1.AddMetaToScheme,
	} {
		must(add(scheme.Scheme))
	}
	var vectors []vector
	must(json.NewDecoder(os.Stdin).Decode(&vectors))
	for i := range vectors {
		write(&vectors[i])
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	must(out.Encode(vectors))
}

func write(v *vector) {
	reader := serializerjson.NewSerializerWithOptions(
		serializerjson.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, serializerjson.SerializerOptions{Strict: true})
	codec := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	object, gvk, err := reader.Decode(v.JSON, nil, nil)
	must(err)
	object.GetObjectKind().SetGroupVersionKind(*gvk)
	message := encode(codec, object)

	again, _, err := codec.Decode(message, &schema.GroupVersionKind{}, nil)
	must(err)
	v.JSON, err = json.Marshal(again)
	must(err)
	v.Protobuf = message
	if v.Event != "" {
		event := &meta.WatchEvent{Type: v.Event, Object: runtime.RawExtension{Raw: message}}
		raw := encode(protobuf.NewRawSerializer(scheme.Scheme, scheme.Scheme), event)
		var frame bytes.Buffer
		_, err = protobuf.LengthDelimitedFramer.NewFrameWriter(&frame).Write(raw)
		must(err)
		v.Protobuf = frame.Bytes()
	}
}

func encode(encoder runtime.Encoder, object runtime.Object) []byte {
	data, err := runtime.Encode(encoder, object)
	must(err)
	return data
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
