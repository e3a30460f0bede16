// SPDX-License-Identifier: Apache-2.0
plugins {
    application
}

repositories {
    mavenLocal()
    mavenCentral()
}

dependencies {
    implementation(platform("io.fiber:fiber-bom:0.1.0-SNAPSHOT"))
    implementation("io.fiber:fiber-api")
    // Where workers start: this machine. Another backend beside it, or in its place, is another cluster.
    runtimeOnly("io.fiber:fiber-backend-local")
}

application {
    mainClass.set("com.example.Main")
}
