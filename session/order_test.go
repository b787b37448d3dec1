package session

import (
	"reflect"
	"testing"
	"time"
)

// Workers call models as the command that ordered the run would: with all settings that an order has.
func TestOrderHasTheSettingsOfCalls(t *testing.T) {
	var c Calls
	set := reflect.ValueOf(&c).Elem()
	order := reflect.TypeFor[Order]()
	var names []string
	for i := range order.NumField() {
		f := set.FieldByName(order.Field(i).Name)
		if !f.IsValid() {
			continue
		}
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String: // of models, which Calls does not have
			continue
		case reflect.Float64:
			f.SetFloat(1.5)
		default:
			f.SetInt(int64(7 * time.Second))
		}
		names = append(names, order.Field(i).Name)
	}
	o := orderOf(&c, nil)
	got := reflect.ValueOf(o.Calls(Calls{})).Elem()
	for _, name := range names {
		if want := set.FieldByName(name).Interface(); got.FieldByName(name).Interface() != want {
			t.Errorf("a worker has %s %v, want %v", name, got.FieldByName(name).Interface(), want)
		}
	}
	if !o.Calls(Calls{}).SkipExam || len(names) < 10 {
		t.Errorf("settings of an order %v", names)
	}
}
