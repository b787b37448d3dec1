package recipe_test

import (
	"fmt"

	"omniscope/train"
	"omniscope/train/recipe"
)

// The trainers that a recipe can be written for, and the learning rate of both stages.
func ExampleSettings() {
	for _, t := range []recipe.Trainer{recipe.MSSwift, recipe.LLaMAFactory, recipe.VeOmni, recipe.Automodel} {
		fmt.Println(t)
	}
	for _, s := range recipe.Settings() {
		if s.Name == "learning_rate" {
			fmt.Println(s.Value(train.Stage(1)), s.Value(train.Stage(2)))
		}
	}
	// Output:
	// ms-swift
	// llama-factory
	// veomni
	// automodel
	// 5.0e-6 5.0e-6
}
