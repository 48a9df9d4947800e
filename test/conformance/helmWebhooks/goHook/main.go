// The program of an operator: converts orders, reviews them, and serves the stock. Arguments: certificate and key.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
)

type object = map[string]any

type review struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	Request    struct {
		UID               string   `json:"uid"`
		Object            object   `json:"object"`
		Objects           []object `json:"objects"`
		DesiredAPIVersion string   `json:"desiredAPIVersion"`
	} `json:"request"`
}

var fields = map[string]string{"v1": "size", "v2": "count"}

func fieldOf(apiVersion string) string {
	_, version, _ := strings.Cut(apiVersion, "/")
	return fields[version]
}

func converted(order object, apiVersion string) object {
	before, _ := order["apiVersion"].(string)
	if spec, ok := order["spec"].(object); ok {
		amount := spec[fieldOf(before)]
		delete(spec, fieldOf(before))
		spec[fieldOf(apiVersion)] = amount
	}
	order["apiVersion"] = apiVersion
	return order
}

func conversion(asked review) object {
	made := []object{}
	for _, order := range asked.Request.Objects {
		made = append(made, converted(order, asked.Request.DesiredAPIVersion))
	}
	return object{"result": object{"status": "Success"}, "convertedObjects": made}
}

func mutation(review) object {
	patch := []byte(`[{"op":"add","path":"/metadata/labels","value":{"reviewed":"yes"}}]`)
	return object{"allowed": true, "patchType": "JSONPatch", "patch": patch}
}

func validation(asked review) object {
	metadata, _ := asked.Request.Object["metadata"].(object)
	if metadata["name"] == "denied" {
		return object{"allowed": false, "status": object{"code": 403, "message": "not wanted"}}
	}
	return object{"allowed": true}
}

func reviewing(respond func(review) object) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var asked review
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		response := respond(asked)
		response["uid"] = asked.Request.UID
		write(w, object{"kind": asked.Kind, "apiVersion": asked.APIVersion, "response": response})
	}
}

func write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

func document(value any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, value) }
}

func main() {
	const groupVersion = "stock.charts.test.example/v1"
	items := object{"name": "items", "singularName": "item", "namespaced": false, "kind": "Item", "verbs": []string{"list"}}
	bolt := object{"metadata": object{"name": "bolt"}}
	mux := http.NewServeMux()
	mux.HandleFunc("/convert", reviewing(conversion))
	mux.HandleFunc("/mutate", reviewing(mutation))
	mux.HandleFunc("/validate", reviewing(validation))
	mux.HandleFunc("/apis/"+groupVersion, document(object{"kind": "APIResourceList", "apiVersion": "v1",
		"groupVersion": groupVersion, "resources": []object{items}}))
	mux.HandleFunc("/apis/"+groupVersion+"/items", document(object{"kind": "ItemList",
		"apiVersion": groupVersion, "metadata": object{}, "items": []object{bolt}}))
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("listening %d\n", listener.Addr().(*net.TCPAddr).Port)
	fmt.Fprintln(os.Stderr, http.ServeTLS(listener, mux, os.Args[1], os.Args[2]))
	os.Exit(1)
}
